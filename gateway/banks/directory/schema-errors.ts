/** Formats the schema errors of a profile as lines with the path and the unknown fields. */

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

export function schemaErrors(errors: readonly SchemaError[]): readonly string[] {
  return (
    errors
      // Reported for each unknown field in addition to the error of the object that contains it.
      .filter(({ keyword }) => keyword !== 'boolean')
      .map(({ instancePath, message, params }) => {
        const unknownFields = 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : ''
        return `${instancePath || '/'} ${message}${unknownFields}`
      })
  )
}
