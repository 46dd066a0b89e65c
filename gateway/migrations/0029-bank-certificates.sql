-- The named pair of certificates by which a bank knows us; null for the pair without a name.
alter table banks add column certificate text;
