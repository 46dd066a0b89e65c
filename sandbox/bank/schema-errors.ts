/** Turns a schema validator's findings into the standard's messages. */
import { formatProblem, type RefusalMessage } from './refusal.ts'

type FormError = { readonly instancePath: string; readonly keyword: string; readonly message: string; params: unknown }

/** One message for each finding, one for each missing member; the path is dotted, e.g. `instructedAmount.amount`. */
export function formProblems(errors: readonly FormError[]): readonly RefusalMessage[] {
  return errors.flatMap((error) => {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    const missing = missingMembers(error)
    return missing.length === 0
      ? [formatProblem(path === '' ? 'body' : path, error.message)]
      : missing.map((name) => formatProblem(path === '' ? name : `${path}.${name}`, 'is missing'))
  })
}

function missingMembers({ params }: FormError): readonly string[] {
  const isListed = typeof params === 'object' && params !== null && 'requiredProperties' in params
  return isListed && Array.isArray(params.requiredProperties) ? params.requiredProperties.map(String) : []
}
