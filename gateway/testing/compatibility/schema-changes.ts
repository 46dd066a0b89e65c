/** Finds what a process of a released version could no longer do with the present tables. */

type Column = { readonly type: string; readonly isNullable: boolean; readonly hasDefault: boolean }
type Schema = {
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, Column>>
  /** By table: statements of unique indexes and keys. */
  readonly unique: ReadonlyMap<string, readonly string[]>
}

/** Describes each incompatible change between two files like `gateway/schema.sql`; empty where there is none. */
export function schemaChanges(released: string, current: string): readonly string[] {
  const [old, now] = [parseSchema(released), parseSchema(current)]
  return [...old.columns].flatMap(([table, columns]) => {
    const present = now.columns.get(table)
    if (present === undefined) {
      return [`table ${table} removed`]
    }
    const unique = old.unique.get(table) ?? []
    return [
      ...[...columns].flatMap(([name, column]) => columnChanges(`${table}.${name}`, column, present.get(name))),
      ...[...present]
        .filter(([name, { isNullable, hasDefault }]) => !columns.has(name) && !isNullable && !hasDefault)
        .map(([name]) => `${table}.${name} is new and required: inserts of the release before fail`),
      ...(now.unique.get(table) ?? [])
        .filter((statement) => !unique.includes(statement))
        .map((statement) => `${table} has a new unique key: ${statement}`),
    ]
  })
}

function columnChanges(name: string, old: Column, now: Column | undefined): readonly string[] {
  if (now === undefined) {
    return [`column ${name} removed`]
  }
  return [
    ...(now.type === old.type ? [] : [`column ${name} is ${now.type} instead of ${old.type}`]),
    ...(old.isNullable && !now.isNullable ? [`column ${name} is no longer nullable`] : []),
    ...(old.hasDefault && !now.hasDefault && !now.isNullable ? [`column ${name} has no default`] : []),
  ]
}

function parseSchema(text: string): Schema {
  const tables = [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);\n((?:CREATE .*\n)*)/gm)]
  return {
    columns: new Map(tables.map(([, table = '', body = '']) => [table, columnsIn(body)])),
    unique: new Map(
      tables.map(([, table = '', body = '', indexes = '']) => [
        table,
        [
          ...[...body.matchAll(/^ {2}constraint \w+ ((?:UNIQUE|PRIMARY KEY) .*?),?$/gm)].map(([, key = '']) => key),
          ...[...indexes.matchAll(/^CREATE UNIQUE INDEX \w+ ON \w+ (.*);$/gm)].map(([, key = '']) => key),
        ],
      ]),
    ),
  }
}

function columnsIn(body: string): ReadonlyMap<string, Column> {
  const lines = body.split('\n').filter((line) => !line.startsWith('  constraint '))
  return new Map(
    lines.map((line) => {
      const [, name = '', rest = ''] = /^ {2}(\w+) (.*?),?$/.exec(line) ?? []
      const type = rest.replace(/ (not null|default .*|generated .*)$/g, '').replace(/ (not null|default).*$/, '')
      return [name, { type, isNullable: !rest.includes('not null'), hasDefault: /\b(default|generated)\b/.test(rest) }]
    }),
  )
}
