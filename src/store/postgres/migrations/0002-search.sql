-- The terms by which searches over directories find users, groups and directories: see src/directory/search-terms.ts. A search
-- reads ranges of a product's terms, in any of its directories.
create table search_terms (
  product text collate "C" not null,
  kind text collate "C" not null,        -- user, group or directory
  term text collate "C" not null,        -- folded
  directory_id text collate "C" not null,
  resource_id text collate "C" not null,
  shared integer not null,               -- how many characters it shares with the preceding term of the resource
  is_whole integer not null,             -- 1: a complete value; 0: the end of a name
  primary key (product, kind, term, directory_id, resource_id)
);
create index search_terms_of_directories on search_terms (directory_id) where kind = 'directory';

-- The directories that were created by a version without search, until their terms are written in the background: what is next.
create table search_fills (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  kind text not null,                    -- directory, user or group
  after_sequence bigint not null         -- of the last user or group whose terms are written
);
insert into search_fills (directory_id, kind, after_sequence) select id, 'directory', 0 from directories where deleted = 0;
