-- How a payment travels, the day asked for, and the last status of it that third parties see where that is not its own.
alter table payments
  add column rail text not null default 'account'
    check (rail in ('account', 'bankgiro', 'plusgiro', 'payment-form')),
  add column requested_on date,
  add column last_visible text not null default 'settled';
create index payments_of_day on payments (bank, debtor, requested_on);
-- The payer's own id of a payment, shown on entries to both sides.
alter table entries add column end_to_end_id text;
