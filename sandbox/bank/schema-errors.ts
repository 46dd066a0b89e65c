/** Converts schema validation errors into the standard's messages. */
import { formatErrorMessage, type Xs2aErrorMessage } from './xs2a-error.ts'

type FormError = { readonly instancePath: string; readonly keyword: string; readonly message: string; params: unknown }

/** One message per error and per missing field; the path is dotted, e.g. `instructedAmount.amount`. */
export function schemaErrorMessages(errors: readonly FormError[]): readonly Xs2aErrorMessage[] {
  return errors.flatMap((error) => {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    const missing = missingFields(error)
    return missing.length === 0
      ? [formatErrorMessage(path === '' ? 'body' : path, error.message)]
      : missing.map((name) => formatErrorMessage(path === '' ? name : `${path}.${name}`, 'is missing'))
  })
}

function missingFields({ params }: FormError): readonly string[] {
  const isListed = typeof params === 'object' && params !== null && 'requiredProperties' in params
  return isListed && Array.isArray(params.requiredProperties) ? params.requiredProperties.map(String) : []
}
