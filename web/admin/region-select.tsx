import { type Region, REGIONS } from "../../contract/regions.ts";
import { SelectField } from "../ui/field.tsx";

/**
 * Lets an admin choose a region.
 * @param without a region to leave out
 */
export function RegionSelect({
  label,
  without,
  value,
  onChange,
}: {
  label: string;
  without?: string;
  value: Region | null;
  onChange: (region: Region | null) => void;
}) {
  const regions = REGIONS.filter(({ slug }) => slug !== without);
  return (
    <SelectField
      name="region"
      label={label}
      required
      options={[
        { value: "", label: "Choose a region" },
        ...regions.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange((currentTarget.value || null) as Region | null)}
    />
  );
}
