/** Collects the regular expressions of the shipped source and of the data that it reads. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { ROOT, readSourceFiles } from '../source-files.ts'

/** An expression, and where it stands. */
export type SourcePattern = { readonly place: string; readonly expression: RegExp }

/** What meets texts of users, partners and banks; the other folders are run by developers on their own files. */
const SHIPPED = /^(?:contract|gateway|console|sandbox|docs-site|cli|sdk|launcher|conformance)\//
const DEVELOPERS = /^(?:gateway\/testing|sdk\/build|docs-site\/examples)\/|\/testing\//

type Node = { readonly type: string; readonly [field: string]: unknown }

/** The literals of the source, the texts that are expressions, and those in JSON below `data/`. */
export async function readSourcePatterns(): Promise<readonly SourcePattern[]> {
  const files = (await readSourceFiles()).filter(
    ({ path, isTest }) => SHIPPED.test(path) && !DEVELOPERS.test(path) && !isTest,
  )
  const names = await readdir(join(ROOT, 'data'), { recursive: true })
  const data = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readDataPatterns(`data/${name}`)),
  )
  return [...files.flatMap(({ path, text }) => patternsOf(path, text)), ...data.flat()]
}

function patternsOf(path: string, text: string): readonly SourcePattern[] {
  const found: SourcePattern[] = []
  const constants = new Map<string, string>()
  const visit = (node: Node): void => {
    const { regex, value } = node as { regex?: { pattern: string; flags: string }; value?: unknown }
    if (regex !== undefined) {
      found.push({ place: path, expression: new RegExp(regex.pattern, regex.flags) })
    } else if (node.type === 'Literal' && typeof value === 'string') {
      found.push(...expressionsIn(path, value))
    } else if (node.type === 'VariableDeclarator') {
      const { id, init } = node as unknown as { id: Node; init: Node | null }
      const written = init === null ? undefined : textOf(init, constants)
      if (written !== undefined) {
        constants.set(String(id['name']), written)
      }
    } else if (node.type === 'TemplateLiteral') {
      found.push(...expressionsIn(path, textOf(node, constants) ?? ''))
    } else if (node.type === 'NewExpression' && (node['callee'] as Node)['name'] === 'RegExp') {
      found.push(...createdBy(path, node['arguments'] as readonly Node[], constants))
    }
    for (const child of Object.values(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each === 'object' && each !== null && 'type' in each) {
          visit(each as Node)
        }
      }
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node)
  return found
}

/** `new RegExp` of a text whose parts are known or stand for a number. */
function createdBy(
  path: string,
  [source, flags]: readonly Node[],
  constants: ReadonlyMap<string, string>,
): readonly SourcePattern[] {
  const written = source && textOf(source, constants)
  return written === undefined ? [] : [{ place: path, expression: new RegExp(written, String(flags?.['value'] ?? '')) }]
}

/** The text of a literal or template; a part of a template that is not a constant of the file is a number. */
function textOf(node: Node, constants: ReadonlyMap<string, string>): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') {
    return node['value']
  }
  if (node.type === 'Identifier') {
    return constants.get(String(node['name']))
  }
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    const [left, right] = [textOf(node['left'] as Node, constants), textOf(node['right'] as Node, constants)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  if (node.type !== 'TemplateLiteral') {
    return undefined
  }
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  const parts = (node['expressions'] as readonly Node[]).map((part) => textOf(part, constants) ?? '70')
  return quasis.map(({ value }, n) => value.cooked + (parts[n] ?? '')).join('')
}

/** Texts that begin or end as expressions do are those of schemas, and of tables that code makes expressions of. */
function expressionsIn(place: string, text: string): readonly SourcePattern[] {
  const isExpression = /^\^.|.\$$/.test(text) && text.length < 1_000
  const expression = isExpression ? compiled(text) : undefined
  return expression === undefined ? [] : [{ place, expression }]
}

function compiled(text: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(text, flags)
    } catch {
      // A text that looks like an expression.
    }
  }
  return undefined
}

async function readDataPatterns(path: string): Promise<readonly SourcePattern[]> {
  const found: SourcePattern[] = []
  JSON.parse(await readFile(join(ROOT, path), 'utf8'), (key, value) => {
    if (typeof value === 'string') {
      const isNamed = /pattern|text$|form$/i.test(key) && compiled(value) !== undefined
      found.push(...(isNamed ? [{ place: path, expression: compiled(value) as RegExp }] : expressionsIn(path, value)))
    }
    return value
  })
  return found
}
