-- Creates one user with its event. A user alone is the common case of a quiet directory, where each statement of its own
-- would cost more than what it does; many users at once are created by one statement (src/store/postgres/create-users.ts).
-- Answers the sequence number of the event; null when the directory's record is not at that revision. A userName that is
-- taken breaks the index users_by_name. What calls this and what it does change together: a change gets a new name.
-- Within it every plan takes an index: one made while the tables are small would be kept after they have grown.
create function create_user_v1(
  in_directory_id text,
  in_revision bigint,
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
  in_emails text[],
  in_bucket_size integer
) returns bigint language plpgsql set enable_seqscan = off as $$
declare
  new_sequence bigint;
begin
  update directory_state set last_sequence = last_sequence + 1
  where directory_id = in_directory_id and revision = in_revision
  returning last_sequence into new_sequence;
  if not found then
    return null;
  end if;

  insert into users (directory_id, id, sequence, version, created_at, updated_at, user_name, user_name_folded,
    external_id, display_name, email, first_name, last_name, active, raw)
  values (in_directory_id, in_id, new_sequence, in_version, in_created_at, in_updated_at, in_user_name,
    in_user_name_folded, in_external_id, in_display_name, in_email, in_first_name, in_last_name, in_active, in_raw);

  insert into user_emails (directory_id, email, user_id)
  select in_directory_id, e.email, in_id from unnest(in_emails) as e (email);

  insert into list_counts (directory_id, list_name, bucket, resources)
  values (in_directory_id, 'users', new_sequence / in_bucket_size, 1)
  on conflict (directory_id, list_name, bucket) do update set resources = list_counts.resources + 1;

  insert into events (directory_id, sequence, id, event_type, created_at, request_id, data, changes)
  values (in_directory_id, new_sequence, in_event_id, in_event_type, in_event_at, in_request_id, in_data, in_changes);

  return new_sequence;
end
$$;
