-- Payments by the day of their creation, for figures over time that read no payments. Days are those of Central
-- European time. A day is counted again when a payment of it has changed (docs/decisions/0103-payment-counts.md).
create table payment_daily_counts (
  partner_id uuid not null,
  day date not null,
  currency text not null,
  status text not null,
  signed boolean not null,
  count int not null,
  amount_minor bigint not null,
  constraint payment_daily_counts_pkey primary key (partner_id, day, currency, status, signed)
);

-- Up to when the payments of a partner are counted.
create table payment_count_positions (
  partner_id uuid not null,
  -- Business time of the last count; null before the first one.
  counted_to timestamptz,
  -- The day on which all days were counted again.
  recounted_on date,
  -- Wall time of the next count.
  due_at timestamptz not null,
  constraint payment_count_positions_pkey primary key (partner_id)
);
create index payment_count_positions_due on payment_count_positions (due_at);
