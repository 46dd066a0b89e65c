-- A user's consent to let a partner act for a company at a bank, and the accounts it gives.
create table consents (
  partner_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  bic text not null,
  bank_branch text,
  country_code text not null,
  organisation_number text not null,
  status text not null,
  status_reason text,
  user_id_sealed bytea,
  user_id_masked text,
  bank_consent_id_sealed bytea,
  callback_url text not null,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  accepted_at timestamptz,
  -- Business time at which its state must be looked at again: the end of validity.
  due_at timestamptz,
  -- Business time of the next attempt to end it at the bank; null when there is nothing to end.
  revoke_at timestamptz,
  revoke_attempts int not null default 0,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index consents_company on consents (partner_id, organisation_number);
-- Sweeps: led by the due time, they cross partners.
create index consents_due on consents (due_at) where due_at is not null;
create index consents_revoke on consents (revoke_at) where revoke_at is not null;
-- Banks count consents per third party, which we are for all partners together.
create index consents_at_bank on consents (bic, organisation_number) where status = 'ACCEPTED';

create table consent_accounts (
  partner_id uuid not null,
  consent_id uuid not null,
  id uuid not null,
  resource_id text not null,
  stable_id text not null,
  bban text,
  iban text,
  bic text not null,
  name text,
  owner_name text,
  currency text not null,
  type text not null,
  payable boolean,
  primary key (partner_id, consent_id, id)
);
