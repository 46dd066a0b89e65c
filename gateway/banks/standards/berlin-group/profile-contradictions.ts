/** Checks that a profile's dialect has what the rest of the profile offers. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const Some = Type.Record(Type.String(), Type.Unknown())
const parts = Compile(
  Type.Object({
    rails: Some,
    crossBorder: Type.Optional(Some),
    dialect: Type.Object({ products: Some, crossBorder: Type.Optional(Some) }),
  }),
)

/** The contradictions of a profile; none where its parts are not even objects. */
export function profileContradictions(settings: unknown): readonly string[] {
  if (!parts.Check(settings)) {
    return []
  }
  const { rails, crossBorder, dialect } = settings
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
