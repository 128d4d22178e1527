-- The tenant and product of the directory, where they never change, of batches that contain a refused request; null otherwise.
-- Lists of refused requests over many directories read only these.
alter table request_batches add column tenant text;
alter table request_batches add column product text;
update request_batches set tenant = d.tenant, product = d.product
from directories d
where d.number = request_batches.row_key >> 33 and exists (
  select 1 from request_terms t
  where t.chunk = request_batches.row_key >> 11 and t.term = 'x' and t.row_key = request_batches.row_key);
create index refused_requests_by_age on request_batches (newest_at, row_key) where product is not null;
create index refused_requests_of_product on request_batches (product, newest_at, row_key) where product is not null;
create index refused_requests_of_tenant on request_batches (tenant, newest_at, row_key) where product is not null;
