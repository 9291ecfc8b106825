// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Has the interface of Chainalysis' sanctions oracle, but the sandbox's own list.
contract SanctionsOracle {
    address public owner = msg.sender;
    mapping(address => bool) private listed;

    event SanctionedAddress(address indexed addr);
    event NonSanctionedAddress(address indexed addr);
    event SanctionedAddressesAdded(address[] addrs);
    event SanctionedAddressesRemoved(address[] addrs);

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    function name() external pure returns (string memory) {
        return "Chainalysis sanctions oracle";
    }

    function isSanctioned(address addr) external view returns (bool) {
        return listed[addr];
    }

    function isSanctionedVerbose(address addr) external returns (bool) {
        if (listed[addr]) emit SanctionedAddress(addr);
        else emit NonSanctionedAddress(addr);
        return listed[addr];
    }

    function addToSanctionsList(address[] calldata newSanctions) external onlyOwner {
        for (uint256 i = 0; i < newSanctions.length; i++) listed[newSanctions[i]] = true;
        emit SanctionedAddressesAdded(newSanctions);
    }

    function removeFromSanctionsList(address[] calldata removeSanctions) external onlyOwner {
        for (uint256 i = 0; i < removeSanctions.length; i++) listed[removeSanctions[i]] = false;
        emit SanctionedAddressesRemoved(removeSanctions);
    }
}
