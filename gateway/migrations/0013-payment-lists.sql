-- Lists of one company, and of a status that few payments have: most are Completed, and found in the order of all.
create index payments_company on payments (partner_id, organisation_number, created_at, id);
create index payments_status on payments (partner_id, status, created_at, id) where status <> 'Completed';
