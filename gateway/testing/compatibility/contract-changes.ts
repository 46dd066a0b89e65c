/** Finds what a program that was written for a released contract would no longer be able to do with the present one. */

/** Any JSON value of an OpenAPI document. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Node = { readonly [name: string]: Json }

/** A request may become wider, a response narrower, and neither the other way round. */
type Direction = 'request' | 'response'

type Comparison = {
  readonly released: Node
  readonly current: Node
  readonly direction: Direction
  /** Pairs of schemas that are being compared: schemas contain themselves. */
  readonly visited: Set<string>
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const
/** Limits of requests that must not decrease, and that must not increase. */
const UPPER_LIMITS = ['maxLength', 'maxItems', 'maximum'] as const
const LOWER_LIMITS = ['minLength', 'minItems', 'minimum'] as const

/** Describes each incompatible change; empty where there is none. */
export function contractChanges(released: Node, current: Node): readonly string[] {
  return ['paths', 'webhooks'].flatMap((kind) =>
    Object.entries(nodeAt(released, kind)).flatMap(([path, operations]) =>
      METHODS.filter((method) => isNode(operations) && method in operations).flatMap((method) => {
        const name = `${method.toUpperCase()} ${path}`
        const former = nodeAt(operations, method)
        const present = nodeAt(nodeAt(nodeAt(current, kind), path), method)
        return Object.keys(present).length === 0
          ? [`${name}: removed`]
          : operationChanges(former, present, { released, current, isWebhook: kind === 'webhooks' }).map(
              (change) => `${name}: ${change}`,
            )
      }),
    ),
  )
}

type Documents = { readonly released: Node; readonly current: Node; readonly isWebhook: boolean }

function operationChanges(former: Node, present: Node, { released, current, isWebhook }: Documents): readonly string[] {
  // We send the body of a webhook: the partner reads it as it reads a response.
  const ofBody = {
    released,
    current,
    direction: isWebhook ? 'response' : 'request',
    visited: new Set<string>(),
  } as const
  const ofResponse = { released, current, direction: 'response', visited: new Set<string>() } as const
  const bodies = (node: Node, root: Node) => schemaOf(resolved(node['requestBody'] ?? {}, root))
  const statuses = Object.keys(nodeAt(former, 'responses'))
  return [
    ...parameterChanges(former, present, ofBody),
    ...schemaChanges(bodies(former, released), bodies(present, current), 'body', ofBody),
    ...statuses.flatMap((status) => {
      const response = nodeAt(present, 'responses')[status]
      return response === undefined
        ? [`response ${status} removed`]
        : schemaChanges(
            schemaOf(resolved(nodeAt(former, 'responses')[status] ?? {}, released)),
            schemaOf(resolved(response, current)),
            `response ${status}`,
            ofResponse,
          )
    }),
  ]
}

function parameterChanges(former: Node, present: Node, comparison: Comparison): readonly string[] {
  const byName = (node: Node, root: Node) =>
    new Map(
      listAt(node, 'parameters').map((one) => {
        const parameter = resolved(one, root)
        return [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter] as const
      }),
    )
  const [old, now] = [byName(former, comparison.released), byName(present, comparison.current)]
  const removed = [...old.keys()].filter((name) => !now.has(name)).map((name) => `parameter ${name} removed`)
  const required = [...now]
    .filter(([name, parameter]) => parameter['required'] === true && old.get(name)?.['required'] !== true)
    .map(([name]) => `parameter ${name} required`)
  const narrowed = [...old].flatMap(([name, parameter]) => {
    const schema = now.get(name)?.['schema']
    return schema === undefined ? [] : schemaChanges(parameter['schema'] ?? {}, schema, `parameter ${name}`, comparison)
  })
  return [...removed, ...required, ...narrowed]
}

function schemaChanges(former: Json, present: Json, at: string, comparison: Comparison): readonly string[] {
  const pair = `${refOf(former)} ${refOf(present)}`
  if (refOf(former) !== '' && comparison.visited.has(pair)) {
    return []
  }
  comparison.visited.add(pair)
  const [old, now] = [resolved(former, comparison.released), resolved(present, comparison.current)]
  return [
    ...valueChanges(old, now, at, comparison.direction),
    ...fieldChanges(old, now, at, comparison),
    ...('items' in old ? schemaChanges(old['items'] ?? {}, now['items'] ?? {}, `${at}[]`, comparison) : []),
    ...['oneOf', 'anyOf', 'allOf'].flatMap((kind) =>
      branchChanges(listAt(old, kind), listAt(now, kind), at, comparison),
    ),
  ]
}

/** Types, values and limits of one schema. */
function valueChanges(old: Node, now: Node, at: string, direction: Direction): readonly string[] {
  const types = (node: Node) => [node['type'] ?? []].flat().map(String)
  const changedTypes = types(old).filter((type) => types(now).length > 0 && !types(now).includes(type))
  const values = listAt(old, 'enum').filter((value) => 'enum' in now && !listAt(now, 'enum').includes(value))
  const limits = [
    ...UPPER_LIMITS.filter((name) => name in now && Number(now[name]) < Number(old[name] ?? Number.POSITIVE_INFINITY)),
    ...LOWER_LIMITS.filter((name) => name in now && Number(now[name]) > Number(old[name] ?? 0)),
    ...['format', 'const'].filter((name) => name in now && now[name] !== old[name]),
    // An optional value may become one that may also be empty.
    ...('pattern' in now && now['pattern'] !== old['pattern'] && now['pattern'] !== `^$|${String(old['pattern'])}`
      ? ['pattern']
      : []),
  ]
  return [
    ...changedTypes.map((type) => `${at} is no longer ${type}`),
    ...values.map((value) => `${at} has no value ${String(value)}`),
    ...(direction === 'request' ? limits.map((name) => `${at} has another ${name}`) : []),
  ]
}

function fieldChanges(old: Node, now: Node, at: string, comparison: Comparison): readonly string[] {
  const [fields, present] = [nodeAt(old, 'properties'), nodeAt(now, 'properties')]
  const [formerlyRequired, required] = [listAt(old, 'required'), listAt(now, 'required')]
  const differing =
    comparison.direction === 'request'
      ? required.filter((name) => !formerlyRequired.includes(name)).map((name) => `${at}.${String(name)} is required`)
      : formerlyRequired
          .filter((name) => !required.includes(name))
          .map((name) => `${at}.${String(name)} may be missing`)
  return [
    ...differing,
    ...Object.entries(fields).flatMap(([name, schema]) => {
      const counterpart = present[name]
      return counterpart === undefined
        ? [`${at}.${name} removed`]
        : schemaChanges(schema, counterpart, `${at}.${name}`, comparison)
    }),
  ]
}

/** Branches have names, or their place among those without. */
function branchChanges(
  former: readonly Json[],
  present: readonly Json[],
  at: string,
  comparison: Comparison,
): readonly string[] {
  const named = (list: readonly Json[]) =>
    new Map(list.map((branch, index) => [refOf(branch) || String(index), branch]))
  const now = named(present)
  return [...named(former)].flatMap(([name, branch]) => {
    const counterpart = now.get(name)
    return counterpart === undefined
      ? [`${at} has no branch ${name.split('/').at(-1)}`]
      : schemaChanges(branch, counterpart, at, comparison)
  })
}

function schemaOf(container: Node): Json {
  const [media] = Object.values(nodeAt(container, 'content'))
  return nodeAt(isNode(media) ? media : {}, 'schema')
}

function refOf(value: Json): string {
  return isNode(value) ? String(value['$ref'] ?? '') : ''
}

function resolved(value: Json, root: Node): Node {
  const ref = refOf(value)
  if (ref === '') {
    return isNode(value) ? value : {}
  }
  const target = ref
    .slice(2)
    .split('/')
    .reduce<Node>((node, name) => nodeAt(node, name.replaceAll('~1', '/')), root)
  return resolved(target, root)
}

function isNode(value: Json | undefined): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nodeAt(value: Json, name: string): Node {
  const found = isNode(value) ? value[name] : undefined
  return isNode(found) ? found : {}
}

function listAt(node: Node, name: string): readonly Json[] {
  const found = node[name]
  return Array.isArray(found) ? found : []
}
