-- Events are about other subjects than payments, too: consents, payrolls, approvals, onboardings, exchanges, accounts.
alter table events rename column payment_id to subject_id;
alter index events_payment rename to events_subject;

-- When the event of its expiry was recorded, which happens once.
alter table consents add column expiry_notified_at timestamptz;
-- The sweep that expires consents finds them when their expiry is to be notified.
update consents set due_at = least(due_at, valid_until - interval '7 days') where status = 'ACCEPTED';

-- The status in the last event about the transaction; null before the first, which tells the change from Unsigned.
alter table payroll_transactions add column announced_status text;

-- How many booked entries an account had on each day when it was last read; more of them are new. Written while a
-- subscription selects the events.
create table account_entry_counts (
  partner_id uuid not null,
  -- The stable id of the account.
  account_id text not null,
  booked_on date not null,
  entries int not null,
  constraint account_entry_counts_pkey primary key (partner_id, account_id, booked_on)
);
-- Retention, which crosses partners.
create index account_entry_counts_retention on account_entry_counts (booked_on);
