import { Alert } from "../ui/alert.tsx";

/**
 * Says that a form was not saved, and links to the field to correct, which may be far down the page.
 * @param field the id of the first field with an error
 */
export function UnsavedAlert({
  text = "We haven’t saved this yet.",
  field,
}: {
  text?: string | undefined;
  field: string;
}) {
  return (
    <Alert>
      <p>
        {text} Please <a href={`#${field}`}>check the marked fields</a>.
      </p>
    </Alert>
  );
}
