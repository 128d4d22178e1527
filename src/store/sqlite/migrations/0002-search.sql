-- The terms by which searches over directories find users, groups and directories: see src/directory/search-terms.ts. A search
-- reads ranges of a list, which has the terms of one kind in all directories of a product. Every user has several rows: their
-- keys are numbers, because ids are long.
create table search_terms (
  list integer not null,                 -- see listNumber in src/store/search-terms.ts
  term text not null,                    -- folded
  row_key integer not null,              -- of the user or group; of a directory the one with the sequence number 0
  shared integer not null,               -- how many characters it shares with the preceding term of the resource
  is_whole integer not null,             -- 1: a complete value; 0: the end of a name
  primary key (list, term, row_key)
) strict, without rowid;
create index search_terms_of_directories on search_terms (row_key) where row_key % 8589934592 = 0;

-- The directories that were created by a version without search, until their terms are written in the background: what is next.
create table search_fills (
  directory_id text primary key references directories (id) on delete cascade,
  kind text not null,                    -- directory, user or group
  after_sequence integer not null        -- of the last user or group whose terms are written
) strict, without rowid;
insert into search_fills (directory_id, kind, after_sequence) select id, 'directory', 0 from directories where deleted = 0;
