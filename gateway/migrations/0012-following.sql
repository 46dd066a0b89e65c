-- Following payments: when a partner was last told, orders that a bank let lapse, and banks that do not show settlement.
alter table payments
  -- Business time of the newest event.
  add column announced_at timestamptz,
  -- When the bank first said that it holds the order no more, which nobody had signed; null while it does.
  add column lapsed_at timestamptz,
  -- When the last signature that we know to be needed was given; null while one is missing.
  add column signed_at timestamptz,
  -- The entry on the debtor's account that showed that the money has moved.
  add column settled_by text;

-- Room on each page for a row's next version: a worker's lease then touches no index, which makes picking five times as quick.
alter table payments set (fillfactor = 80);

-- Sweeps: led by the bank, so that workers claim a part of each and pass over those that are held up, however much waits.
drop index payments_poll;
create index payments_poll on payments (bic, poll_at) where poll_at is not null;
drop index payments_recover;
create index payments_recover on payments (bic, recover_at) where recover_at is not null;
drop index signings_due;
create index signings_due on signings (bic, due_at) where due_at is not null;
drop index consents_due;
create index consents_due on consents (bic, due_at) where due_at is not null;
drop index consents_revoke;
create index consents_revoke on consents (bic, revoke_at) where revoke_at is not null;

-- Orders that a bank let lapse and that were placed there again since, each under the id it had. They are looked after
-- for some days: one that comes back is a second order for the same payment.
create table lapsed_orders (
  partner_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  bank_request_id uuid not null,
  hint_hash text not null,
  lapsed_at timestamptz not null,
  id uuid not null,
  bic text not null,
  -- Business time of the next look at the bank; null when nothing is to be expected.
  poll_at timestamptz,
  lease_until timestamptz,
  -- What the payment returns to when the bank does not take the order again.
  was_hinted_at timestamptz,
  was_poll_at timestamptz,
  was_poll_step int not null,
  was_unread_since timestamptz,
  primary key (partner_id, payment_id, bank_payment_id)
);
create index lapsed_orders_poll on lapsed_orders (bic, poll_at) where poll_at is not null;

-- One entry on an account settles one payment.
create unique index payments_settled_by on payments (partner_id, bic, debtor_bban, settled_by) where settled_by is not null;
-- Payments on an account that wait for an entry.
create index payments_awaiting_entry on payments (partner_id, bic, debtor_bban, due_date)
  where status = 'InProgress' and outcome = 'known';

-- When the entries of an account were last read without its user: banks allow few such reads a day.
create table entry_reads (
  partner_id uuid not null,
  bic text not null,
  bban text not null,
  -- Business time.
  read_at timestamptz not null,
  -- Whether the bank refused the last reading that it answered; people were told then.
  refused boolean not null default false,
  primary key (partner_id, bic, bban)
);
