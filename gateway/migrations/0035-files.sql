-- Files of orders: agreements that stand in for consents, each file on its way to its bank, and what of a bank's was read.

-- Entered by an operator: the bank has a contract on paper, and nobody is asked.
alter table consents add column agreement boolean not null default false;
create index consents_agreements on consents (partner_id, id) where agreement;

create table payment_files (
  partner_id uuid not null,
  -- Of the payment whose order it holds.
  id uuid not null,
  bic text not null,
  -- What the bank's reports name it by.
  message_id text not null,
  -- waiting: the bank cannot have any of it. prepared: all of it lies where the bank does not look, and goes from there
  -- in one step. sent: it is the bank's. withdrawn: its day was over before it could be sent.
  state text not null check (state in ('waiting', 'prepared', 'sent', 'withdrawn')),
  -- Which of several attempts has prepared it; no other may be handed over.
  attempt uuid,
  created_at timestamptz not null,
  -- By the bank's clock, of the newest report that was read; older ones may come after it.
  reported_at timestamptz,
  -- Business time of the next attempt, or of the look whether the bank has answered; null when nothing is left to do.
  due_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index payment_files_due on payment_files (bic, due_at) where due_at is not null;
-- Reports name neither partner nor payment.
create index payment_files_message on payment_files (bic, message_id);

-- When what a bank has put out is looked at next, by wall time: one process looks at a time.
create table file_looks (
  bic text primary key,
  look_at timestamptz not null
);

-- What a bank has put out that is none of ours: not read again until it changes.
create table files_left (
  bic text not null,
  name text not null,
  version text not null,
  left_at timestamptz not null,
  primary key (bic, name)
);

-- Reports that were taken, by what they say: one that comes again, or under another name, says nothing new.
create table reports_taken (
  bic text not null,
  digest text not null,
  taken_at timestamptz not null,
  primary key (bic, digest)
);
