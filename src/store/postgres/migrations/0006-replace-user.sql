-- Replaces one user, with its event, where it is at a version: the common change of a quiet directory, as in
-- 0005-create-user.sql, where the plans are explained; several users are replaced by one statement
-- (src/store/postgres/replace-users.ts). Answers the sequence number of the event; 0 when the user is not at that version,
-- null when the directory's record is not at that revision. A userName that is taken breaks the index users_by_name.
create function replace_user_v1(
  in_directory_id text,
  in_revision bigint,
  in_version_before bigint,
  in_id text,
  in_version bigint,
  in_created_at bigint,
  in_updated_at bigint,
  in_user_name text,
  in_user_name_folded text,
  in_external_id text,
  in_display_name text,
  in_email text,
  in_first_name text,
  in_last_name text,
  in_active integer,
  in_raw text,
  in_event_id text,
  in_event_type text,
  in_event_at bigint,
  in_request_id text,
  in_data text,
  in_changes text,
  in_gone_emails text[],
  in_new_emails text[]
) returns bigint language plpgsql set enable_seqscan = off as $$
declare
  last bigint;
begin
  select last_sequence into last from directory_state
  where directory_id = in_directory_id and revision = in_revision for update;
  if not found then
    return null;
  end if;

  update users set version = in_version, updated_at = in_updated_at, user_name = in_user_name,
    user_name_folded = in_user_name_folded, external_id = in_external_id, display_name = in_display_name,
    email = in_email, first_name = in_first_name, last_name = in_last_name, active = in_active, raw = in_raw
  where directory_id = in_directory_id and id = in_id and version = in_version_before;
  if not found then
    return 0;
  end if;

  if in_gone_emails <> '{}' then
    delete from user_emails
    where directory_id = in_directory_id and email = any(in_gone_emails) and user_id = in_id;
  end if;
  if in_new_emails <> '{}' then
    insert into user_emails (directory_id, email, user_id)
    select in_directory_id, e.email, in_id from unnest(in_new_emails) as e (email)
    on conflict do nothing;
  end if;

  insert into events (directory_id, sequence, id, event_type, created_at, request_id, data, changes)
  values (in_directory_id, last + 1, in_event_id, in_event_type, in_event_at, in_request_id, in_data, in_changes);
  update directory_state set last_sequence = last + 1 where directory_id = in_directory_id;
  return last + 1;
end
$$;
