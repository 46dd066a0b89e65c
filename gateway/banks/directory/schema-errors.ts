/** Says what a schema finds wrong with a profile, in lines that name the place and the fields that do not belong there. */

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

export function schemaFaults(errors: readonly SchemaError[]): readonly string[] {
  return (
    errors
      // Said of each field that does not belong there, whose object says it, too.
      .filter(({ keyword }) => keyword !== 'boolean')
      .map(({ instancePath, message, params }) => {
        const strange = 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : ''
        return `${instancePath || '/'} ${message}${strange}`
      })
  )
}
