-- What was answered under an Idempotency-Key, so that repeating a request is safe.
create table idempotency (
  partner_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  subject_id uuid,
  outcome_unknown boolean not null default false,
  started_at timestamptz not null,
  finished_at timestamptz,
  status int,
  answer bytea,
  constraint idempotency_pkey primary key (partner_id, operation, key)
);
create index idempotency_retention on idempotency (started_at);
