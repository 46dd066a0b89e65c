/** Checks that a profile's dialect has what the rest of the profile offers. */
import { Type } from 'typebox'
import { valueParser } from '../../../platform/http/response-parser.ts'

const Some = Type.Record(Type.String(), Type.Unknown())
const parse = valueParser(
  Type.Object({
    rails: Some,
    crossBorder: Type.Optional(Some),
    dialect: Type.Object({ products: Some, crossBorder: Type.Optional(Some) }),
  }),
)

/** The contradictions of a profile; none where its parts are not even objects. */
export function profileContradictions(settings: unknown): readonly string[] {
  const profile = parse(settings)
  if (profile === undefined) {
    return []
  }
  const { rails, crossBorder, dialect } = profile
  const missing = Object.keys(rails).filter((rail) => !Object.hasOwn(dialect.products, rail))
  const unused = Object.keys(dialect.products).filter((rail) => !Object.hasOwn(rails, rail))
  return [
    ...missing.map(
      (rail) => `/dialect/products/${rail}: is missing; name the payment product of the rail /rails/${rail}`,
    ),
    ...unused.map(
      (rail) => `/rails/${rail}: is missing; describe the rail of /dialect/products/${rail}, or remove that`,
    ),
    ...((crossBorder === undefined) === (dialect.crossBorder === undefined)
      ? []
      : ['/crossBorder and /dialect/crossBorder contradict each other: give both, or neither']),
  ]
}
