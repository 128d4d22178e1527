-- The tenant and product of the directory, where they never change, of batches that contain a refused request; null otherwise.
-- Lists of refused requests over many directories read only these.
alter table request_batches add column tenant text collate "C";
alter table request_batches add column product text collate "C";
update request_batches b set tenant = d.tenant, product = d.product
from directories d
where d.id = b.directory_id and exists (
  select from request_terms t
  where t.directory_id = b.directory_id and t.chunk = b.position >> 11 and t.term = 'x' and t.position = b.position);
create index refused_requests_by_age on request_batches (newest_at, directory_id, position) where product is not null;
create index refused_requests_of_product on request_batches (product, newest_at, directory_id, position) where product is not null;
create index refused_requests_of_tenant on request_batches (tenant, newest_at, directory_id, position) where product is not null;
