-- Approvals: one user signing one or several payments.
create table approvals (
  partner_id uuid not null,
  id uuid not null,
  consent_id uuid not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (partner_id, id)
);

create table approval_payments (
  partner_id uuid not null,
  approval_id uuid not null,
  payment_id uuid not null,
  position int not null,
  -- What was bound to the signature: the bank's id and a digest of amount and receiver.
  bank_payment_id text not null,
  order_digest text not null,
  result text not null,
  primary key (partner_id, approval_id, payment_id)
);
create index approval_payments_payment on approval_payments (partner_id, payment_id);

-- Whoever begins an approval holds its payments until it is kept, so that the bank is asked for one at a time.
create table approval_holds (
  partner_id uuid not null,
  payment_id uuid not null,
  approval_id uuid not null,
  -- Wall time after which a hold whose process died counts no more.
  held_until timestamptz not null,
  primary key (partner_id, payment_id)
);
