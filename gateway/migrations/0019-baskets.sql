-- Baskets: payments of an approval that their bank lets its user sign together.
create table approval_baskets (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  -- For whose user the bank was asked.
  consent_id uuid not null,
  approval_id uuid not null,
  bank_request_id uuid not null,
  -- Null until the bank has answered.
  bank_basket_id text,
  -- asked: the bank was asked and nothing is known yet. lost: nothing will come by itself. refused: the bank does not
  -- let these be signed together. held: the bank holds it, and nobody has signed it. signed: somebody has. void: the bank
  -- certainly holds none, or none any more.
  state text not null check (state in ('asked', 'lost', 'refused', 'held', 'signed', 'void')),
  created_at timestamptz not null,
  -- Business time at which it is looked after; null when nothing is to be done.
  due_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index approval_baskets_approval on approval_baskets (partner_id, approval_id);
-- Sweeps: led by the bank and the due time, they cross partners.
create index approval_baskets_due on approval_baskets (bic, due_at) where due_at is not null;

-- What lies in a basket; an order that was placed again since lies there no more.
create table approval_basket_payments (
  partner_id uuid not null,
  basket_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  primary key (partner_id, basket_id, payment_id)
);
create index approval_basket_payments_payment on approval_basket_payments (partner_id, payment_id);

-- With which basket a payment is signed; null for one that is signed alone.
alter table approval_payments add column basket_id uuid;
