-- What the service itself keeps from one start to the next, sealed.
create table settings (
  name text primary key,
  value text not null
) strict, without rowid;
