-- Orders of a day all fall due at its end: the sweep, ten times a second, read every one of them to find the first.
drop index payments_due;
create index payments_due on payments (due_at, position) where due_at is not null;
drop index bulk_elements_due;
create index bulk_elements_due on bulk_elements (due_at, bulk_id, position) where due_at is not null;
