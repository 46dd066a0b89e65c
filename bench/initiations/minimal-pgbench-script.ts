/** Renders the minimal database work of an initiation as a pgbench script: two inserts of small rows. */
import { newId } from '../../gateway/platform/ids.ts'
import { COUNTED_ID } from './initiation-pgbench-script.ts'

/** Separate tables with a primary key and no other index. */
export const MINIMAL_TABLES = `
  drop schema if exists minimal cascade;
  create schema minimal;
  create table minimal.payments (partner_id uuid, id uuid, status text not null, ordered text not null,
    created_at timestamptz not null, primary key (partner_id, id));
  create table minimal.history (partner_id uuid, payment_id uuid, id uuid, status text not null, at timestamptz not null,
    primary key (partner_id, payment_id, id));
  create table minimal.answers (partner_id uuid, id uuid, answer text not null, at timestamptz not null,
    primary key (partner_id, id));`

/** The size of an order and a response of the gateway. */
const MINIMAL_ORDER = 'o'.repeat(600)
const ANSWER = 'a'.repeat(350)
const AT = `'20261125T080000Z'`

/** One execution of the script is two statements, each a transaction. */
export function minimalPgbenchScript(): string {
  const partner = `'${newId()}'`
  const id = `(${COUNTED_ID})::uuid`
  return [
    '\\set count :count + 1',
    `with payment as (insert into minimal.payments values (${partner}, ${id}, 'Unsigned', '${MINIMAL_ORDER}', ${AT}) returning *)
     insert into minimal.history select partner_id, id, id, status, created_at from payment;`,
    `insert into minimal.answers values (${partner}, ${id}, '${ANSWER}', ${AT});`,
    '',
  ].join('\n')
}
