-- Banks of the directory, and how each has answered of late. Shared by all partners.
create table banks (
  bic text primary key,
  name text not null,
  country_code text not null,
  connector text not null,
  profile text not null,
  -- Where the bank's interface begins, in front of /v1.
  address text not null,
  -- host:port of every place that the bank's links may lead to.
  link_hosts text[] not null,
  enabled boolean not null default true,
  -- Consecutive calls that failed, since when, and until when the bank is left alone; wall time.
  failures int not null default 0,
  failing_since timestamptz,
  paused_until timestamptz
);
