-- The overview of the console counts what waits.
create index approvals_started on approvals (partner_id, created_at, id) where status = 'STARTED';
create index consents_expiring_of_partner on consents (partner_id, valid_until, id) where status = 'ACCEPTED';
create index fx_deals_booked on fx_deals (partner_id, deadline) where state = 'booked';
