/** Finds the errors in the fields that all branches of a union share, where its tag selects none of them. */
import { isDeepStrictEqual } from 'node:util'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

const validationOfUnion = new WeakMap<object, ValidateFunction>()

/** With no tag, or an unknown one, Ajv validates no branch: what would be an error in each of them is one all the same. */
export function sharedFieldErrors(error: ErrorObject, ajv: Ajv): readonly ErrorObject[] {
  const union = Object(error.parentSchema)
  const branches: readonly TSchema[] = union.oneOf ?? []
  const validate = validationOfUnion.get(union) ?? ajv.compile({ properties: sharedProperties(branches) })
  validationOfUnion.set(union, validate)
  const found = validate(error.data) ? [] : (validate.errors ?? [])
  return [
    ...missingFields(branches, error),
    ...found.map((each) => ({ ...each, instancePath: `${error.instancePath}${each.instancePath}` })),
  ]
}

/** The fields that all branches declare with the same schema. */
function sharedProperties([branch, ...others]: readonly TSchema[]): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(
    Object.entries(propertiesOf(branch)).filter(([name, schema]) =>
      others.every((other) => isDeepStrictEqual(propertiesOf(other)[name], schema)),
    ),
  )
}

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return Object(schema).properties ?? {}
}

function missingFields([branch, ...others]: readonly TSchema[], error: ErrorObject): readonly ErrorObject[] {
  const missing = requiredFields(branch, error.data).filter(
    (name) =>
      name !== error.params['tag'] &&
      !Object.hasOwn(Object(error.data), name) &&
      others.every((other) => requiredFields(other, error.data).includes(name)),
  )
  return missing.map((missingProperty) => ({
    ...error,
    keyword: 'required',
    params: { missingProperty },
    ...(branch === undefined ? {} : { parentSchema: branch }),
  }))
}

/** Of alternatives those of the first, unless the value has a field that only another one requires. */
function requiredFields(schema: TSchema | undefined, value: unknown): readonly string[] {
  const { required = [], anyOf = [] }: { required?: string[]; anyOf?: { required: string[] }[] } = Object(schema)
  const chosen = anyOf.find((each) =>
    each.required.some((name) => !required.includes(name) && Object.hasOwn(Object(value), name)),
  )
  return [...required, ...((chosen ?? anyOf[0])?.required ?? [])]
}
