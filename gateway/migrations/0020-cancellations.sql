-- Cancellations: the wish to withdraw one payment, kept before its bank is asked.
create table cancellations (
  partner_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  bic text not null,
  -- Evidence: whose user asked, and from where; null where the partner did not say.
  consent_id uuid not null,
  ip_address text,
  user_agent text,
  -- What is withdrawn, and whether it was signed then: a signature that came since is a newer wish.
  bank_payment_id text,
  was_signed boolean not null,
  -- The id of the request at the bank; the same one when it is asked again.
  bank_request_id uuid not null,
  status text not null,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Wall time of the first asking, and after which the bank is asked again while its answer is not known.
  asked_at timestamptz not null,
  recover_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
-- A payment is being cancelled once at a time.
create unique index cancellations_open on cancellations (partner_id, payment_id)
  where status in ('ASKED', 'AUTHORIZATION_REQUIRED');
create index cancellations_recover on cancellations (bic, recover_at) where recover_at is not null;

-- When the bank took the withdrawal of the order: it is never placed again, even if the bank does not show it any more.
alter table payments add column withdrawn_at timestamptz;
