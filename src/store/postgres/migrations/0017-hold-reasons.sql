-- A directory can be held for several reasons at once; directory_state.held_from is the first event of them.
alter table holds add column first_sequence bigint not null default 0;
alter table holds add column version bigint not null default 0;
comment on column holds.first_sequence is 'of the first event that this hold holds';
comment on column holds.version is 'the position of that event when the hold began, as in removed_users';
update holds h set first_sequence = s.held_from, version = s.held_from + s.discarded_events
from directory_state s where s.directory_id = h.directory_id and s.held_from is not null;
update holds set role = '' where role is null;
alter table holds alter column first_sequence drop default;
alter table holds alter column version drop default;
-- Empty unless the reason is a role.
alter table holds alter column role set default '';
alter table holds alter column role set not null;
alter table holds drop constraint holds_pkey;
alter table holds add primary key (directory_id, reason, role);

-- 1: the directory is held because of these removals, so that they do not expire.
alter table removal_windows add column held integer not null default 0;
update removal_windows w set held = 1
where exists (select 1 from holds h where h.directory_id = w.directory_id and h.reason = w.kind);
