-- Quotes of exchange, and the reference rates that amounts are compared by.

create table fx_quotes (
  partner_id uuid not null,
  id uuid not null,
  -- The company that pays.
  country_code text not null,
  organisation_number text not null,
  end_to_end_id text not null,
  provider text not null,
  provider_quote_id text not null,
  fixed_side text not null check (fixed_side in ('buy', 'sell')),
  conversion_date date,
  -- What the payer pays; at the provider, sell_minor of it is sold for what is bought.
  cost_currency text not null,
  cost_minor bigint not null,
  sell_minor bigint not null,
  buy_currency text not null,
  buy_minor bigint not null,
  -- Over the reference rate; null where there is none.
  markup_percent text,
  funding_country text not null,
  funding_date date not null,
  reference_code text not null,
  -- Where the money is paid to.
  intermediary jsonb not null,
  -- Whom the payout is for, and what it says.
  terms_sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null once it is booked: then it is kept for ever.
  forget_at timestamptz,
  primary key (partner_id, id)
);
create unique index fx_quotes_reference on fx_quotes (partner_id, reference_code);
-- Providers tell of money by the reference alone.
create index fx_quotes_referred on fx_quotes (reference_code);
create index fx_quotes_retention on fx_quotes (forget_at) where forget_at is not null;

-- Reference rates of the European Central Bank that were fetched, by day. Shared by all partners.
create table fx_reference_rates (
  day date primary key,
  -- Units of each currency for one euro, as texts.
  per_euro jsonb not null,
  fetched_at timestamptz not null
);
-- When they are fetched next; wall time.
create table fx_reference_fetches (
  what text primary key,
  due_at timestamptz not null
);
insert into fx_reference_fetches (what, due_at) values ('ecb', '2020-01-01');
