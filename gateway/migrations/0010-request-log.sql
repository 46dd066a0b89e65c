-- Requests of partners with their responses, masked; deleted after 30 days, and the oldest when there are too many.
create table request_log (
  partner_id uuid not null,
  -- The svc-request-id, whose time is that of the request. The only order in which requests are read.
  id uuid not null,
  client_id text not null,
  method text not null,
  path text not null,
  status int not null,
  milliseconds real not null,
  -- Only users with the payroll role see it.
  is_payroll boolean not null,
  -- Codes of what was rejected.
  error_codes text[],
  -- What it created, or asked for by its id.
  subject_type text,
  subject_id uuid,
  idempotency_key text,
  headers json not null,
  request_body text,
  response_body text,
  -- As counted in request_log_sizes.
  bytes int not null,
  constraint request_log_pkey primary key (partner_id, id)
);
-- Errors are few, and what developers look for.
create index request_log_errors on request_log (partner_id, id) where status >= 400;

-- What each partner stores in the log, so that its limit is checked without reading it.
create table request_log_sizes (
  partner_id uuid not null,
  bytes bigint not null,
  constraint request_log_sizes_pkey primary key (partner_id)
);
