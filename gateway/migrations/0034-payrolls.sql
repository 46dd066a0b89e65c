-- Payrolls: what was ordered, sealed; the payouts with what their bank says of each; and the orders that carry them.
create table payrolls (
  partner_id uuid not null,
  id uuid not null,
  -- The bulk that it came in; null for one that came alone.
  bulk_id uuid,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  debtor_bban text not null,
  currency text not null,
  due_date date not null,
  -- As what the bank is told it: one order, single orders signed in baskets or one after the other, or a file.
  way text not null check (way in ('bulk', 'baskets', 'chain', 'file')),
  transaction_count int not null,
  -- Who pays, and the sum.
  terms_sealed bytea not null,
  -- placing: not every order is at the bank yet. placed: all are. failing: the bank refused one, and those that it holds
  -- are withdrawn. failed: none is left there.
  state text not null check (state in ('placing', 'placed', 'failing', 'failed')),
  state_text text,
  -- That of the whole, as its payouts and orders make it.
  status text not null,
  created_at timestamptz not null,
  -- When the status of a payout changed last.
  changed_at timestamptz not null,
  -- Business time of the next look at what is not placed, or to be withdrawn; null when nothing is left to do.
  work_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index payrolls_created on payrolls (partner_id, created_at, id);
create index payrolls_changed on payrolls (partner_id, changed_at, id);
create index payrolls_company on payrolls (partner_id, organisation_number, created_at, id);
create index payrolls_bulk on payrolls (partner_id, bulk_id) where bulk_id is not null;
create index payrolls_due on payrolls (bic, work_at) where work_at is not null;

-- The payouts as they were ordered, some hundred in a slice: whoever needs one of ten thousand opens its slice alone.
create table payroll_slices (
  partner_id uuid not null,
  payroll_id uuid not null,
  number int not null,
  content_sealed bytea not null,
  primary key (partner_id, payroll_id, number)
);

create table payroll_transactions (
  partner_id uuid not null,
  payroll_id uuid not null,
  position int not null,
  end_to_end_id text not null,
  -- The order that carries it, once its bank is about to be asked to take that.
  payment_id uuid,
  -- The bank's own id of it within its order.
  element_id text,
  -- What the bank says of it alone; null while what it says of the order holds for all.
  status text,
  status_reason text,
  status_reason_text text,
  bank_status text,
  status_at timestamptz,
  primary key (partner_id, payroll_id, position)
);
create index payroll_transactions_payment on payroll_transactions (partner_id, payment_id) where payment_id is not null;
create index payroll_transactions_told on payroll_transactions (partner_id, payment_id) where status is not null;
create index payroll_transactions_end_to_end on payroll_transactions (partner_id, end_to_end_id);

-- Orders of payrolls are rows of `payments` that no partner sees as payments; their type is Payroll.
alter table payments add column payroll_id uuid;
create index payments_payroll on payments (partner_id, payroll_id) where payroll_id is not null;

-- Whether a client may order payrolls.
alter table clients add column payroll boolean not null default false;
