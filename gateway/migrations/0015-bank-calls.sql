-- Calls to banks for payments, without bodies and headers; deleted after 30 days.
create table bank_calls (
  partner_id uuid not null,
  payment_id uuid not null,
  -- Its time is that at which the call was written, in wall time.
  id uuid not null,
  bic text not null,
  -- When the call began, in business time.
  at timestamptz not null,
  operation text not null,
  method text not null,
  path text not null,
  status int,
  error text,
  milliseconds real not null,
  request_id text,
  bank_text text,
  constraint bank_calls_pkey primary key (partner_id, payment_id, id)
);
create index bank_calls_retention on bank_calls (id);

-- All calls to a bank by hour, outcome and duration. Each bucket of durations is a tenth longer than the one before.
create table bank_call_counts (
  bic text not null,
  hour timestamptz not null,
  outcome text not null,
  bucket int not null,
  calls int not null,
  constraint bank_call_counts_pkey primary key (bic, hour, outcome, bucket)
);
