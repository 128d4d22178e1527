-- A directory can be held for several reasons at once; directory_state.held_from is the first event of them. SQLite cannot change a
-- primary key, so the table is made anew.
alter table holds rename to replaced_holds;
create table holds (
  directory_id text not null references directories (id) on delete cascade,
  since integer not null,
  reason text not null,                  -- users, memberships, roles or adoption
  percent integer not null,              -- the limit; so are the next two columns
  minimum integer not null,
  window_seconds integer not null,
  removals integer not null,             -- which count, without those who came back
  removals_before integer not null,      -- of these, made before the hold
  highest integer not null,              -- number of active users, or memberships, within the window
  counted_from integer not null,         -- removed_users.row_position of the first removal that counts
  first_sequence integer not null,       -- of the first event that this hold holds
  version integer not null,              -- the position of that event when the hold began, as in removed_users
  role text not null default '',         -- which too few users have; empty unless that is the reason
  role_minimum integer,                  -- how many must keep it
  role_users integer,                    -- how many had it after the last change that left too few
  reported integer not null default 0,   -- 1: logged, and the operator is notified
  primary key (directory_id, reason, role)
) strict, without rowid;
insert into holds
select h.directory_id, h.since, h.reason, h.percent, h.minimum, h.window_seconds, h.removals, h.removals_before, h.highest,
  h.counted_from, s.held_from, s.held_from + s.discarded_events, coalesce(h.role, ''), h.role_minimum, h.role_users, h.reported
from replaced_holds h join directory_state s on s.directory_id = h.directory_id where s.held_from is not null;
drop table replaced_holds;
create index holds_unreported on holds (directory_id) where reported = 0;
create index holds_by_age on holds (since, directory_id);
create trigger hold_marks_health after insert on holds
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger ended_hold_marks_health after delete on holds
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = old.directory_id;
end;

-- 1: the directory is held because of these removals, so that they do not expire.
alter table removal_windows add column held integer not null default 0;
update removal_windows set held = 1
where exists (select 1 from holds h where h.directory_id = removal_windows.directory_id and h.reason = removal_windows.kind);
