-- The console lists these by status, and approvals, cancellations and exchanges by the company of their consent or quote.
create index consents_status on consents (partner_id, status, created_at, id);
-- Replaces the partial index of started ones.
drop index approvals_started;
create index approvals_status on approvals (partner_id, status, created_at, id);
create index approvals_consent on approvals (partner_id, consent_id, created_at, id);
create index cancellations_status on cancellations (partner_id, status, created_at, id);
create index cancellations_consent on cancellations (partner_id, consent_id, created_at, id);
create index payrolls_status on payrolls (partner_id, status, created_at, id);
create index onboardings_status on onboardings (partner_id, status, created_at, id);
create index fx_deals_state on fx_deals (partner_id, state, created_at, id);
create index fx_quotes_company on fx_quotes (partner_id, organisation_number);
