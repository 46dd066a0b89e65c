/** Holds the promise of docs/compatibility.md: nothing of the stored release is removed or narrowed. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { inspectConfig } from './config/config.ts'
import { contractChanges } from './testing/compatibility/contract-changes.ts'
import { namedInterface } from './testing/compatibility/released-interface.ts'
import { schemaChanges } from './testing/compatibility/schema-changes.ts'

const text = async (path: string) => await readFile(new URL(path, import.meta.url), 'utf8')
const released = async (name: string) => await text(`testing/compatibility/released/${name}`)

const releasedNames = async () => JSON.parse(await released('names.json')) as Awaited<ReturnType<typeof namedInterface>>

/** A name that is typed proves nothing: HAVN_OPERATOR_TOKEN took its place. */
const REMOVED_OPTIONS = ['havn reconcile --as', 'havn tasks resolve --as']

/** Patterns are not compared: this one also matches a scheme in capitals. */
const WIDENED_PATTERNS = [
  'POST /api/webhooks/subscription: body.targetUrl has another pattern',
  'PATCH /api/webhooks/subscription/{id}: body.targetUrl has another pattern',
]

describe('compared with the stored release', () => {
  it('every operation, field, value and limit of the contract is as it was, or wider', async () => {
    const [former, current] = [await released('openapi.json'), await text('../docs/openapi.json')]
    expect(contractChanges(JSON.parse(former), JSON.parse(current))).toEqual(WIDENED_PATTERNS)
  })

  it('every table and column that a process of that release uses is there, and its inserts succeed', async () => {
    expect(schemaChanges(await released('schema.sql'), await text('schema.sql'))).toEqual([])
  })

  it('every setting, command, option, exit code and metric exists, and no operation needs another permission', async () => {
    const [former, current] = [await releasedNames(), await namedInterface()]
    expect(former.settings.length).toBeGreaterThan(50)
    expect(former.settings.filter((name) => !current.settings.includes(name))).toEqual([])
    expect(former.commands.filter((name) => !current.commands.includes(name))).toEqual(REMOVED_OPTIONS)
    expect(former.metrics.filter((name) => !current.metrics.includes(name))).toEqual([])
    expect(former.exitCodes.filter((code) => !current.exitCodes.includes(code))).toEqual([])
    expect(former.permissions.length).toBeGreaterThan(50)
    expect(former.permissions.filter((needed) => !current.permissions.includes(needed))).toEqual([])
  })

  it('every table that a command prints has its columns, which are fields of --json', async () => {
    const [former, current] = [await releasedNames(), await namedInterface()]
    expect(former.tables.length).toBeGreaterThan(10)
    const narrower = former.tables.filter(
      (columns) => !current.tables.some((present) => columns.every((column) => present.includes(column))),
    )
    expect(narrower).toEqual([])
  })

  it('every value that a setting accepted is accepted', async () => {
    const { values } = await releasedNames()
    expect(values.length).toBeGreaterThan(20)
    const errors = values.flatMap((one) => {
      const [name = '', value] = one.split(': ')
      return inspectConfig({ HAVN_MODE: 'sandbox', [name]: value }, 'gateway').errors.filter((error) =>
        error.startsWith(`${name} must be`),
      )
    })
    expect(errors).toEqual([])
  })

  it('the settings with which that release starts are still enough', () => {
    const settings = {
      DATABASE_URL: 'postgres://havn@db.internal/havn',
      HAVN_MASTER_KEY_FILE: '/etc/havn/master.key',
      HAVN_BASE_URL: 'https://havn.nordkontor.no',
      HAVN_TPP_IP_ADDRESS: '8.8.4.4',
    }
    expect(inspectConfig(settings, 'gateway').errors).toEqual([])
    expect(inspectConfig(settings, 'worker').errors).toEqual([])
  })
})

describe('each incompatible change of a contract is found', () => {
  const contract = {
    paths: {
      '/payments': {
        post: {
          parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Payment' } } } },
          responses: { '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Paid' } } } } },
        },
      },
    },
    components: {
      schemas: {
        Payment: {
          type: 'object',
          required: ['amount'],
          properties: {
            amount: { type: 'string', maxLength: 20, pattern: '^[0-9]+$' },
            text: { type: 'string' },
            kind: { type: 'string', enum: ['a', 'b'] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Payment' } },
          },
        },
        Paid: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, at: { type: 'string' } } },
      },
    },
  }
  it.each<readonly [from: string, to: string, change: string]>([
    ['"post"', '"put"', 'POST /payments: removed'],
    ['"name":"limit"', '"name":"size"', 'parameter query limit removed'],
    ['"name":"limit"', '"name":"limit","required":true', 'parameter query limit required'],
    ['"maximum":100', '"maximum":50', 'parameter query limit has another maximum'],
    ['"required":["amount"]', '"required":["amount","text"]', 'body.text is required'],
    ['"text":', '"message":', 'body.text removed'],
    ['"maxLength":20', '"maxLength":10', 'body.amount has another maxLength'],
    ['"^[0-9]+$"', '"^[0-9]{2}$"', 'body.amount has another pattern'],
    ['"enum":["a","b"]', '"enum":["a"]', 'body.kind has no value b'],
    ['"text":{"type":"string"}', '"text":{"type":"integer"}', 'body.text is no longer string'],
    ['"201"', '"202"', 'response 201 removed'],
    ['"required":["id"]', '"required":[]', 'response 201.id may be missing'],
    ['"at":{"type":"string"}', '"on":{"type":"string"}', 'response 201.at removed'],
  ])('%s instead of %s: %s', (from, to, change) => {
    const changed = JSON.parse(JSON.stringify(contract).replace(from, to))
    expect(contractChanges(contract, changed).join('\n')).toContain(change)
    expect(contractChanges(contract, contract)).toEqual([])
  })

  it('what is added is none', () => {
    const wider = JSON.stringify(contract)
      .replace('"maxLength":20', '"maxLength":40')
      .replace('"^[0-9]+$"', '"^$|^[0-9]+$"')
      .replace('"enum":["a","b"]', '"enum":["a","b","c"]')
      .replace('"text":', '"other":{"type":"string"},"text":')
    expect(contractChanges(contract, JSON.parse(wider))).toEqual([])
  })
})

describe('each incompatible change of a table is found', () => {
  const schema = `create domain outcome as text constraint c CHECK ((VALUE = ANY (ARRAY['a'::text, 'b'::text])));

create table payments (
  id uuid not null,
  note text,
  step integer not null default 0,
  constraint payments_note_check CHECK ((note = ANY (ARRAY['x'::text, 'y'::text]))),
  constraint payments_pkey PRIMARY KEY (id)
);
CREATE INDEX payments_note ON payments USING btree (note);

`
  it.each<readonly [from: string, to: string, change: string]>([
    ['create table payments', 'create table orders', 'table payments removed'],
    ['  note text,\n', '', 'column payments.note removed'],
    ['note text', 'note integer', 'column payments.note is integer instead of text'],
    ['note text', 'note text not null', 'column payments.note is no longer nullable'],
    ['  note text,', '  note text,\n  more text not null,', 'payments.more is new and required'],
    ['CREATE INDEX', 'CREATE UNIQUE INDEX', 'payments has a new unique key'],
    ['not null default 0', 'not null', 'column payments.step has no default'],
    ["'a'::text, ", '', 'domain outcome accepts less'],
    ['create domain outcome', 'create domain result', 'domain outcome accepts less, or is removed'],
    ["'x'::text, ", '', 'payments has a new constraint: CHECK ((note ='],
    [
      '  constraint payments_pkey',
      '  constraint c CHECK ((step > 0)),\n  constraint payments_pkey',
      'new constraint: CHECK',
    ],
    [
      '  constraint payments_pkey',
      '  constraint c FOREIGN KEY (id) REFERENCES a(id),\n  constraint payments_pkey',
      'FOREIGN',
    ],
  ])('%s → %s', (from, to, change) => {
    expect(schemaChanges(schema, schema.replace(from, to)).join('\n')).toContain(change)
    expect(schemaChanges(schema, schema)).toEqual([])
  })

  it('a new table, a new column that may be missing with its constraints, and further values of a list are none', () => {
    const wider = schema
      .replace('  note text,', '  note text,\n  more text,')
      .replace("'a'::text", "'a'::text, 'c'::text")
      .replace("'x'::text", "'x'::text, 'z'::text")
      .replace(
        '  constraint payments_pkey',
        '  constraint c CHECK ((more > 0)),\n  constraint d FOREIGN KEY (id, more) REFERENCES a(id, b),\n  constraint payments_pkey',
      )
    expect(schemaChanges(schema, `${wider}create table other (\n  id uuid not null\n);\n`)).toEqual([])
    expect(schemaChanges(schema, schema.replace(/.*payments_note_check.*\n/, ''))).toEqual([])
  })
})
