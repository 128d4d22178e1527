-- A short name of each directory, for keys: ids are long.
alter table directories add column number bigint generated always as identity;
create unique index directories_by_number on directories (number);

-- The terms by which searches over directories find users, groups and directories: see src/directory/search-terms.ts. A search
-- reads ranges of a list, which has the terms of one kind in all directories of a product. Every user has several rows.
create table search_terms (
  list bigint not null,                  -- see listNumber in src/store/search-terms.ts
  row_key bigint not null,               -- the directory's number, then the sequence of the user or group; 0: the directory itself
  shared smallint not null,              -- how many characters it shares with the preceding term of the resource
  is_whole smallint not null,            -- 1: a complete value; 0: the end of a name
  term text collate "C" not null,        -- folded
  primary key (list, term, row_key)
);
create index search_terms_of_directories on search_terms (row_key) where row_key % 68719476736 = 0;

-- The directories that were created by a version without search, until their terms are written in the background: what is next.
create table search_fills (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  kind text not null,                    -- directory, user or group
  after_sequence bigint not null         -- of the last user or group whose terms are written
);
insert into search_fills (directory_id, kind, after_sequence) select id, 'directory', 0 from directories where deleted = 0;
