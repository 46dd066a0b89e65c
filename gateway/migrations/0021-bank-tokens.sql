-- What opens a user's data at banks with an authorisation server (OAuth 2.0): one row for each grant, since its refresh token is used once.
create table bank_tokens (
  partner_id uuid not null,
  id uuid not null,
  -- Both tokens and the server that gave them, sealed together.
  tokens_sealed bytea not null,
  -- Wall time at which the access token ends.
  expires_at timestamptz not null,
  -- While one process has them renewed, no other one does: banks end what is renewed twice.
  lease_until timestamptz,
  primary key (partner_id, id)
);

-- What a grant opens: a consent, a payment, or all payments of a basket.
create table bank_token_subjects (
  partner_id uuid not null,
  -- The consent or the payment.
  subject_id uuid not null,
  token_id uuid not null,
  primary key (partner_id, subject_id),
  foreign key (partner_id, token_id) references bank_tokens (partner_id, id) on delete cascade
);
create index bank_token_subjects_by_token on bank_token_subjects (partner_id, token_id);

-- Where the user signs in before anything is asked for, the bank is asked for the consent after that.
alter table consents alter column bank_consent_id_sealed drop not null;
