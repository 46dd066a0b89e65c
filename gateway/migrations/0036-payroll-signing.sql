-- Signing payrolls: what a user was shown of one is sealed, as are the salaries that it comes to.
alter table signing_steps add column shown_sealed bytea;

-- Cancelling payrolls: the wish to withdraw a whole, of whose orders each is a cancellation of its own.
create table payroll_cancellations (
  partner_id uuid not null,
  id uuid not null,
  payroll_id uuid not null,
  consent_id uuid not null,
  -- What was said without a bank being asked; null where its answers decide.
  verdict text check (verdict in ('ACCEPTED', 'REJECTED')),
  reason text,
  created_at timestamptz not null,
  primary key (partner_id, id)
);
create index payroll_cancellations_of on payroll_cancellations (partner_id, payroll_id);
alter table cancellations add column payroll_cancellation_id uuid;
create index cancellations_of_payroll on cancellations (partner_id, payroll_cancellation_id)
  where payroll_cancellation_id is not null;
