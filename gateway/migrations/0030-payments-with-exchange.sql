-- Payments with exchange: which quote each was made by, how far its exchange has come, and when that is decided upon.
alter table payments
  -- Null for payments without exchange.
  add column exchange text check (exchange in
    ('booking', 'awaited', 'standing', 'funded', 'paid', 'returned', 'broken', 'refused', 'unwithdrawn')),
  add column quote_id uuid,
  -- Business time until which it must be signed.
  add column deadline_at timestamptz,
  -- Business time of the next look at that: the deadline, then whenever what was decided is to be carried out at the
  -- provider. Null when nothing is left to do.
  add column decide_at timestamptz;
-- A quote is booked once.
create unique index payments_quote on payments (partner_id, quote_id) where quote_id is not null and outcome <> 'void';
create index payments_decision_due on payments (bic, decide_at) where decide_at is not null;
