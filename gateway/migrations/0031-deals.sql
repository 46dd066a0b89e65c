-- The exchange itself: deals at the provider, money that arrived there, and the ledger of both.

-- Providers of exchange: how far what arrives at each has been read, and at which pace it is asked.
create table fx_providers (
  name text primary key,
  -- By the provider's own time: what arrived before then has been taken.
  receipts_taken_to timestamptz,
  -- Wall time of the next look at what has arrived.
  look_at timestamptz not null,
  -- Business time at which the last look ended.
  looked_at timestamptz,
  lease_until timestamptz,
  -- Wall time at which all turns that were given to deals for being undone are over.
  turns_until timestamptz not null
);

create table fx_deals (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  quote_id uuid not null,
  -- Null when it was booked by money from outside.
  payment_id uuid,
  reference_code text not null,
  funding_country text not null,
  funding_date date not null,
  provider_quote_id text not null,
  fixed_side text not null check (fixed_side in ('buy', 'sell')),
  conversion_date date,
  cost_currency text not null,
  cost_minor bigint not null,
  sell_minor bigint not null,
  buy_currency text not null,
  buy_minor bigint not null,
  -- Business time until which it must have been signed.
  deadline timestamptz not null,
  -- Whom the payout is for, and what it says.
  terms_sealed bytea not null,
  state text not null check (state in ('booking', 'failed', 'booked', 'standing', 'funded', 'paying', 'paid', 'returned',
    'refunded', 'breaking', 'broken')),
  reason text,
  -- Counts the changes of state.
  version int not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  signed_at timestamptz,
  conversion_id text,
  beneficiary_id text,
  payout_id text,
  -- Business time until which a payout that was asked for may still be made, whatever the provider says of a later request.
  doubt_until timestamptz,
  returned_minor bigint,
  -- Why it is to be broken as soon as it is known to be booked.
  unwanted text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business times: of the next step at the provider, of undoing it there, and of telling its payment. Null when nothing
  -- is to be done.
  due_at timestamptz,
  break_at timestamptz,
  tell_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
) with (fillfactor = 80);
-- A quote is booked once.
create unique index fx_deals_quote on fx_deals (partner_id, quote_id);
create index fx_deals_payment on fx_deals (partner_id, payment_id) where payment_id is not null;
-- Sweeps: led by the provider and the due time, they cross partners.
create index fx_deals_due on fx_deals (provider, due_at) where due_at is not null;
create index fx_deals_break_due on fx_deals (provider, break_at) where break_at is not null;
create index fx_deals_tell_due on fx_deals (provider, tell_at) where tell_at is not null;
-- Operators and measures look at those that are not closed.
create index fx_deals_open on fx_deals (state, changed_at) where state not in ('failed', 'broken', 'paid', 'refunded');
-- Providers tell of what changed by our id alone.
create index fx_deals_noticed on fx_deals (id);

-- What became of each deal, step by step.
create table fx_deal_history (
  partner_id uuid not null,
  id uuid not null,
  deal_id uuid not null,
  at timestamptz not null,
  event text not null,
  detail jsonb not null,
  primary key (partner_id, id)
);
create index fx_deal_history_deal on fx_deal_history (partner_id, deal_id, id);

-- Money that arrived at a provider. What names no quote of ours belongs to nobody: a partner of zeros.
create table fx_receipts (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_receipt_id text not null,
  currency text not null,
  minor bigint not null,
  -- What the payer wrote.
  reference text,
  received_at timestamptz not null,
  quote_id uuid,
  deal_id uuid,
  -- arrived: nobody has judged it yet. held: kept for its sender. used: it funds its deal. returning: the provider was asked
  -- to send it back. returned: it did.
  state text not null check (state in ('arrived', 'held', 'used', 'returning', 'returned')),
  -- Why it is held or sent back.
  reason text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Under which id of ours the provider was asked to send it back, anew each time that people try again; by which payout.
  return_id uuid,
  payout_id text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business time of the next step; null when nothing is to be done.
  due_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
-- Crosses partners: whose it is shows by its quote, and that may be forgotten when the provider tells of it again.
create unique index fx_receipts_once on fx_receipts (provider, provider_receipt_id);
create index fx_receipts_deal on fx_receipts (partner_id, deal_id) where deal_id is not null;
create index fx_receipts_due on fx_receipts (provider, due_at) where due_at is not null;
create index fx_receipts_open on fx_receipts (state, changed_at) where state not in ('used', 'returned');
create index fx_receipts_noticed on fx_receipts (return_id) where return_id is not null;

-- The ledger: lines are only ever added. Those of one entry sum up to zero in each currency.
create table fx_postings (
  partner_id uuid not null,
  -- The deal or the receipt whose account it is.
  subject_id uuid not null,
  event text not null,
  account text not null,
  currency text not null,
  -- Debits are positive.
  minor bigint not null check (minor <> 0),
  entry_id uuid not null,
  at timestamptz not null,
  -- An event is posted once.
  primary key (partner_id, subject_id, event, account, currency)
);
create index fx_postings_entry on fx_postings (partner_id, entry_id);
