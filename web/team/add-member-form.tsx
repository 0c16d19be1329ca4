import { useQueryClient } from "@tanstack/react-query";

import { type TeamMember, teamMemberSchema } from "../../contract/team.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { useToast } from "../ui/toaster.tsx";
import { TEAM_KEY, TEAM_NAMES_KEY } from "./team.ts";

export function AddMemberForm({ onAdded }: { onAdded: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { formProps, isBusy } = useAppForm({
    schema: teamMemberSchema,
    send: (json) => unwrap(browserApi().api["team-members"].$post({ json })),
    meta: {
      failed: { title: "Error Adding Team Member", description: "Failed to add team member." },
      refreshes: [TEAM_NAMES_KEY],
    },
    onSuccess: (member) => {
      client.setQueryData<TeamMember[]>(TEAM_KEY, (team = []) => [...team, member]);
      toast({
        title: "Team member added successfully",
        description: `${member.firstName} can sign in with ${member.email ?? "their email"} and the temporary password.`,
      });
      onAdded();
    },
  });
  return (
    <Form className="stack gap-4" aria-labelledby="add-member" {...formProps}>
      <h3 id="add-member" className="text-lg">
        Add a team member
      </h3>
      <p className="muted text-sm member-form__note">
        Team members can view and update the pipeline: stages, notes and amounts. They can't buy, add or
        archive leads, or manage the team.
      </p>
      <div className="pair">
        <TextField name="firstName" label="First name" required />
        <TextField name="lastName" label="Last name" required />
      </div>
      <div className="pair">
        <TextField name="email" label="Email" type="email" required hint="They'll use it to sign in" />
        <TextField name="phone" label="Phone" type="tel" />
      </div>
      <TextField
        name="tempPassword"
        label="Temporary password"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Minimum 6 characters"
        required
        hint="Tell them in person or by phone. They'll choose their own when they first sign in."
      />
      <div className="form__foot">
        <Button type="submit" variant="main" isBusy={isBusy}>
          {isBusy ? "Adding…" : "Add team member"}
        </Button>
      </div>
    </Form>
  );
}
