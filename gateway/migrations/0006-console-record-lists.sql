-- The console lists these newest first, also those of some days, and onboardings also of a company.
create index consents_created on consents (partner_id, created_at, id);
create index approvals_created on approvals (partner_id, created_at, id);
create index cancellations_created on cancellations (partner_id, created_at, id);
create index fx_deals_created on fx_deals (partner_id, created_at, id);
create index onboardings_created on onboardings (partner_id, created_at, id);
create index onboardings_number on onboardings (partner_id, organisation_number, created_at, id);
