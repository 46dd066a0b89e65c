-- Bulks of payrolls: kept before a bank is asked for any of it, so that one that is not taken as a whole is given up as a whole.
create table payroll_bulks (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  -- ordering: its request is under way. taken: an approval over all of it is kept. failing: what there is of it is being
  -- withdrawn. failed: nothing is left to withdraw.
  state text not null check (state in ('ordering', 'taken', 'failing', 'failed')),
  created_at timestamptz not null,
  -- Under which key it was ordered, which stays taken while anything of it may be carried out.
  idempotency_operation text,
  idempotency_key text,
  -- Business time of the next look at one whose request may have died, or of which something is left; null when neither.
  work_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index payroll_bulks_due on payroll_bulks (bic, work_at) where work_at is not null;
