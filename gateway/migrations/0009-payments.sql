-- Payments: what was asked, what the bank says, and when it is asked again.
create table payments (
  partner_id uuid not null,
  id uuid not null,
  type text not null,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  end_to_end_id text not null,
  amount_minor bigint not null,
  currency text not null,
  debtor_bban text not null,
  creditor_bban text not null,
  due_date date not null,
  -- The order exactly as it was asked, in JSON.
  ordered text not null,
  -- asked: the bank was asked and nothing is known yet. unknown: nothing will come by itself. known: the bank holds it.
  -- void: it is certain that the bank never took it.
  outcome text not null check (outcome in ('asked', 'known', 'unknown', 'void')),
  bank_request_id uuid not null,
  -- Under which key it was asked for, so that the key learns the outcome.
  idempotency_operation text,
  idempotency_key text,
  bank_payment_id text,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  -- Whether every signature that we know to be needed was given.
  signed boolean not null default false,
  hint_hash text not null,
  hinted_at timestamptz,
  -- Business time: creation, last successful read at the bank, last change of status.
  created_at timestamptz not null,
  status_at timestamptz not null,
  changed_at timestamptz not null,
  -- Business time of the next read at the bank; null when nothing is to be expected.
  poll_at timestamptz,
  poll_step int not null default 0,
  -- Business time since which the bank could not be read; null when the last attempt went well.
  unread_since timestamptz,
  final_since timestamptz,
  -- Wall time after which an intent without an answer is taken up by recovery.
  recover_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
-- Lists: each serves its filter and the order of its pages.
create index payments_end_to_end on payments (partner_id, end_to_end_id, created_at, id);
create index payments_created on payments (partner_id, created_at, id);
create index payments_changed on payments (partner_id, changed_at, id);
-- While an outcome is open, the same order is not taken again.
create unique index payments_open_outcome
  on payments (partner_id, end_to_end_id, amount_minor, currency, creditor_bban) where outcome in ('asked', 'unknown');
-- One order at a bank is one payment here.
create unique index payments_at_bank on payments (partner_id, bic, bank_payment_id) where bank_payment_id is not null;
-- Sweeps: led by the due time, they cross partners.
create index payments_poll on payments (poll_at) where poll_at is not null;
create index payments_recover on payments (recover_at) where recover_at is not null;

create table payment_history (
  partner_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  primary key (partner_id, payment_id, id)
);
