import { type Region, REGIONS } from "../../contract/regions.ts";
import { SelectField } from "../ui/field.tsx";

export const REGION_OPTIONS = REGIONS.map(({ slug, name }) => ({ value: slug, label: name }));

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
  return (
    <SelectField
      name="region"
      label={label}
      required
      options={[
        { value: "", label: "Choose a region" },
        ...REGION_OPTIONS.filter((option) => option.value !== without),
      ]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange((currentTarget.value || null) as Region | null)}
    />
  );
}
