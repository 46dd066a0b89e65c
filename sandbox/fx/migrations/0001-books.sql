-- How far the provider's business time is ahead of wall time; one row.
create table clock (
  id int primary key check (id = 1),
  offset_milliseconds bigint not null
);
insert into clock (id, offset_milliseconds) values (1, 0);

-- Rates that are, or were, held.
create table quotes (
  id uuid primary key,
  buy_currency text not null,
  sell_currency text not null,
  fixed_side text not null check (fixed_side in ('buy', 'sell')),
  buy_minor bigint not null,
  sell_minor bigint not null,
  client_rate text not null,
  mid_rate text not null,
  conversion_on date not null,
  settles_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used boolean not null
);

create table conversions (
  position bigint generated always as identity,
  id uuid primary key,
  request_id text unique,
  short_reference text not null,
  reason text not null,
  -- What a reference may call it by, in capitals and without separators: the codes in its reason.
  names text[] not null,
  status text not null check (status in ('awaiting_funds', 'funds_arrived', 'trade_settled', 'closed')),
  buy_currency text not null,
  sell_currency text not null,
  fixed_side text not null check (fixed_side in ('buy', 'sell')),
  buy_minor bigint not null,
  sell_minor bigint not null,
  client_rate text not null,
  mid_rate text not null,
  conversion_on date not null,
  settles_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What cancelling cost, in the sold currency; null unless it was cancelled.
  loss_minor bigint,
  cancel_notes text,
  due_at timestamptz
);
create index conversions_due on conversions (due_at) where due_at is not null;

-- Receivers of money, as they were made known.
create table beneficiaries (
  position bigint generated always as identity,
  id uuid primary key,
  details jsonb not null,
  created_at timestamptz not null
);
create index beneficiaries_by_reference on beneficiaries ((details ->> 'beneficiary_external_reference'));

create table payments (
  position bigint generated always as identity,
  id uuid primary key,
  request_id text not null unique,
  short_reference text not null,
  beneficiary_id uuid not null references beneficiaries (id),
  conversion_id uuid references conversions (id),
  currency text not null,
  amount_minor bigint not null,
  reference text not null,
  reason text not null,
  payment_type text not null,
  payment_on date not null,
  details jsonb not null,
  status text not null check (status in ('ready_to_send', 'submitted', 'completed', 'failed', 'suspended', 'deleted')),
  failure_reason text not null,
  returned_minor bigint not null,
  -- What becomes of it unlike others, as the control API said: suspended, failed or returned.
  outcome text check (outcome in ('suspended', 'failed', 'returned')),
  transferred_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz
);
create index payments_due on payments (due_at) where due_at is not null;
create index payments_by_conversion on payments (conversion_id) where conversion_id is not null;

-- Money that was sent to an account of the provider; on its way until it arrives.
create table arrivals (
  position bigint generated always as identity,
  id uuid primary key,
  -- What the sender's bank calls it; the same twice is one.
  origin text not null unique,
  short_reference text not null,
  receiver_iban text not null,
  currency text not null,
  amount_minor bigint not null,
  reference text not null,
  sender jsonb not null,
  -- The conversion that the reference names; null when it names none.
  conversion_id uuid references conversions (id),
  status text not null check (status in ('pending', 'completed', 'deleted')),
  created_at timestamptz not null,
  completed_at timestamptz,
  due_at timestamptz
);
create index arrivals_due on arrivals (due_at) where due_at is not null;
create index arrivals_by_conversion on arrivals (conversion_id) where conversion_id is not null;

-- What was put on and taken from the balances; each is the sum of its currency.
create table transactions (
  position bigint generated always as identity,
  id uuid primary key,
  currency text not null,
  amount_minor bigint not null,
  balance_minor bigint not null,
  entity_type text not null,
  entity_id uuid not null,
  entity_reference text not null,
  action text not null,
  created_at timestamptz not null
);
create index transactions_by_entity on transactions (entity_id);
create index transactions_by_currency on transactions (currency, position);

-- Push notifications; kept while they wait to be sent, and afterwards for whoever looks.
create table notices (
  position bigint generated always as identity,
  id uuid primary key,
  type text not null,
  body text not null,
  attempts int not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null,
  due_at timestamptz
);
create index notices_due on notices (due_at) where due_at is not null;
