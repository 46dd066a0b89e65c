-- Companies that a partner has brought in; another partner's companies are no concern of it.
create table companies (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  name text not null,
  onboarded boolean not null,
  active_subscription boolean not null,
  services text[] not null,
  international_payments boolean not null default false,
  onboarding_id uuid,
  created_at timestamptz not null,
  primary key (partner_id, id),
  constraint companies_number unique (partner_id, country_code, organisation_number)
);
