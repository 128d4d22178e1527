-- What has happened to a setup link. Both are Unix milliseconds; null for older links even if it happened.
alter table setup_links add column opened_at bigint; -- when its page was first opened
alter table setup_links add column used_at bigint;   -- when something was first changed with it

-- The list of all links, newest first, with those that are revoked or have expired.
create index setup_links_in_order on setup_links (created_at, id);
create index setup_links_of_product on setup_links (product, created_at, id);
create index setup_links_of_tenant on setup_links (tenant, created_at, id);
create index setup_links_of_directory on setup_links (directory_id, created_at, id);
