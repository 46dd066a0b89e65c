-- Rows that a sweep cannot process: how often each has failed, and when it is tried again. `review_at` is when operators
-- are told of it, or when it is checked whether it still fails. Times are wall time.
create table failed_rows (
  partner_id uuid not null,
  id uuid not null,
  sweep text not null,
  row_id text not null,
  failures int not null,
  -- Name and code of the last error; the log has its message.
  error text not null,
  first_failed_at timestamp with time zone not null,
  last_failed_at timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  review_at timestamp with time zone,
  lease_until timestamp with time zone,
  primary key (partner_id, id)
);
create unique index failed_rows_row on failed_rows (partner_id, sweep, row_id);
create index failed_rows_due on failed_rows (sweep, review_at) where review_at is not null;
