package projects_test

var projects = []project{
	{
		module: "github.com/kubernetes-csi/external-provisioner/v6", version: "v6.3.0",
		sum:      "h1:cC5Y10GbdTHXUTBBz0g7jKZKm7AJJk586WV5rVNWdck=",
		packages: []string{"./pkg/controller", "./pkg/capacity/..."}, least: 600,
		differ: provisionerDiffers,
		racing: map[string]string{
			"pkg/controller TestProvisionFromPVC": "looks into an informer's cache after a write, whether or not the watch has told of it",
		},
	},
	{
		module: "github.com/kubernetes-csi/external-attacher/v4", version: "v4.13.0",
		sum:      "h1:lvr4pjyBc6TV57EB78mNrsg/KgaGFL5wc4Xe/i9Y+bM=",
		packages: []string{"./pkg/controller"}, least: 90,
	},
	{
		module: "github.com/kubernetes-csi/external-resizer/v2", version: "v2.3.0",
		sum:      "h1:dsdHhB3s4BJUkO7Jaemd6hw3YEms1ZlMF/bksbDE+bw=",
		packages: []string{"./pkg/..."}, least: 70,
		differ: resizerDiffers,
	},
}

// within are names of subtests of each of some tests.
func within(tests []string, subtests ...string) (all []string) {
	for _, t := range tests {
		for _, s := range subtests {
			all = append(all, t+"/"+s)
		}
	}
	return all
}

var provisionerDiffers = []difference{
	{
		why: "the test begins with a claim that has no name, and gets it. A real server stores none (metadata.name: Required value: " +
			"name or generateName is required), and a real client sends no such get (resource name may not be empty)",
		words: "want a name in its metadata, got none",
		tests: within([]string{"pkg/controller TestProvision", "pkg/controller TestShouldProvision"},
			"provision_with_access_mode_multi_node_multi_readonly_with_sidecar_arg_false",
			"provision_with_access_mode_multi_node_multi_readonly_with_sidecar_arg_true",
			"provision_with_access_mode_multi_node_multi_writer",
			"provision_with_access_mode_single_node_single_writer_and_single_node_multi_writer_capability",
			"provision_with_access_mode_single_node_writer",
			"provision_with_access_mode_single_node_writer_and_single_node_multi_writer_capability",
			"provision_with_any_volume_data_source",
			"provision_with_final_error",
			"provision_with_mount_options",
			"provision_with_multiple_access_modes",
			"provision_with_transient_error",
		),
	},
	{
		why: "the test sets the deletionTimestamp in its copy of a claim, without a delete, and the controller updates the claim. A real " +
			"server sets it by a delete alone (metadata.deletionTimestamp: Invalid value: field is immutable)",
		words: "metadata.deletionTimestamp: Invalid value",
		tests: within([]string{"pkg/controller TestCloneFinalizerRemoval"},
			"delete_source_pvc_located_in_another_namespace_should_not_block",
			"delete_source_pvc_which_is_not_cloned_by_any_other_pvc",
			"delete_source_pvc_with_no_cloning_in_progress",
		),
	},
	{
		why: "reactors of the test write uids and versions like CSISC-REV-0, and the test wants to read them. On a real server both are " +
			"its own, and versions are numbers (strconv.ParseUint: parsing \"CSISC-REV-0\": invalid syntax)",
		words: "expected ResourceVersion CSISC-REV-",
		tests: within([]string{"pkg/capacity TestCapacityController"},
			"add_and_remove_storage_topology_segment",
			"add_storage_topology_segment",
			"add_storage_topology_segment,_immediate_binding",
			"delete_and_recreate_by_someone",
			"ignore_capacity_after_owner_change",
			"re-create_capacity",
			"remove_storage_topology_segment",
			"reuse_one_capacity_object,_add_owner",
			"reuse_one_capacity_object,_keep_owner",
			"reuse_one_capacity_object,_no_changes",
			"reuse_one_capacity_object,_update_capacity",
			"storage_capacity_change",
			"two_segments,_two_classes,_four_objects_missing",
			"two_segments,_two_classes,_four_objects_updated",
			"two_segments,_two_classes,_two_added,_two_removed",
		),
	},
}

var resizerDiffers = []difference{
	{
		why: "the test begins with a volume of the name testPV, which the resizer updates. A real server stores none, and looks at the name " +
			"again in an update (metadata.name: Invalid value: \"testPV\": a lowercase RFC 1123 subdomain must consist of …)",
		words: `PersistentVolume "testPV" is invalid: metadata.name: Invalid value: "testPV"`,
		tests: []string{
			"pkg/controller TestExpandAndRecover/pv.spec.size_>=_pvc.spec.size,_resize_status=node_expansion_failed",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_=_pv.spec.size,_resize_status=no_expansion_inprogress",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_=_pv.spec.size,_resize_status=node_expansion_infeasible,_disable_controller_expansion=true",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_>_pv.spec.size,_disable_node_expansion=true,_resize_status=no_expansion_inprogress",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_>_pv.spec.size,_resize_status=controller_expansion_fail(final,_but_feasible)",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_>_pv.spec.size,_resize_status=controller_expansion_infeasible",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_>_pv.spec.size,_resize_status=controller_expansion_inprogress",
			"pkg/controller TestExpandAndRecover/pvc.spec.size_>_pv.spec.size,_resize_status=node_expansion_inprogress",
			"pkg/modifycontroller TestController/First_time_modify",
			"pkg/modifycontroller TestController/Modify_called",
			"pkg/modifycontroller TestMarkControllerModifyVolumeCompleted/update_modify_volume_status_to_completed",
			"pkg/modifycontroller TestMarkControllerModifyVolumeCompleted/update_modify_volume_status_to_completed,_and_clear_conditions",
			"pkg/modifycontroller TestModify/modify_volume_success",
			"pkg/modifycontroller TestModify/modify_volume_success_with_extra_metadata",
			"pkg/modifycontroller TestModifyPVC/Modify_succeeded",
			"pkg/modifycontroller TestSyncPVC/Should_execute_ModifyVolume_for_InProgress_target_if_PVC_has_empty_Spec.VACName",
			"pkg/modifycontroller TestSyncPVC/Should_execute_ModifyVolume_operation_when_PVC's_VAC_changes",
		},
	},
	{
		why: "the test puts a claim into an informer's store while the informer begins to list. The controller then hears of an update that " +
			"changes nothing, and does nothing: on client-go's fake the list is always first, on a real server the test is. (Where the list " +
			"is first on fakekube, the name testPV is next.)",
		words: "expected csi expand call, no csi expand call was made", or: "AnnpreResizeCapacity was not successfully updated",
		tests: []string{"pkg/controller TestController"},
	},
	{
		why: "the test patches with the version in an informer's cache, right after a write: where the cache is behind, a real server answers " +
			"409 (the object has been modified; please apply your changes to the latest version and try again)",
		words: "expected 2 csi modify calls, but got 1", sometimes: true,
		tests: []string{"pkg/modifycontroller TestInfeasibleRetry/Should_retry_non-infeasible_error_normally"},
	},
}
